import { use } from 'react';
import { Permissions } from '../../session/permissions.js';
import { CheckboxList } from '../../ui/checkbox-list.js';

/**
 * Offers only the permissions of the current user and those in `checked`, because users can grant only permissions that
 * they have.
 */
export function PermissionPicker({ checked }: { checked: ReadonlySet<string> }) {
  const names = [...new Set([...use(Permissions), ...checked])].sort();
  return (
    <CheckboxList
      label="Permissions"
      name="permissions"
      options={names.map((name) => ({ value: name, label: name }))}
      checked={checked}
    />
  );
}
