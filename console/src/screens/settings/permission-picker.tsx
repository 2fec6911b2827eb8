import { use } from 'react';
import { Permissions } from '../../app/permissions.js';
import { CheckboxList } from '../../ui/checkbox-list.js';

/** The permissions that the current user has, and that are already `checked`. Users can grant only their own. */
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
