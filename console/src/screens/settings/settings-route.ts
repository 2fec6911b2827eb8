import { getRouteApi } from '@tanstack/react-router';

export const settingsRoute = getRouteApi('/w/$workspace/settings');
