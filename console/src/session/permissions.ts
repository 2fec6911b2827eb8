import { createContext, use } from 'react';

export const Permissions = createContext<ReadonlySet<string>>(new Set());

/** Screens offer only actions that the service allows. */
export function useIsAllowed(permission: string): boolean {
  return use(Permissions).has(permission);
}
