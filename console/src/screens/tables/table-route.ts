import { getRouteApi } from '@tanstack/react-router';

export const tableRoute = getRouteApi('/w/$workspace/tables/$table');
