import { getRouteApi } from '@tanstack/react-router';

export const fileRoute = getRouteApi('/w/$workspace/files/$file');
