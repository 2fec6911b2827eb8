import { getRouteApi } from '@tanstack/react-router';

export const syncRoute = getRouteApi('/w/$workspace/syncs/$sync');
