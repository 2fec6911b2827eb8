import { randomDigits } from '../../kernel/ids.js';

export const CONNECTOR_SLUG_PATTERN = /^[a-z0-9]{1,8}_[0-9A-Za-z]{8}$/;

export function generateConnectorSlug(name: string): string {
  const readable =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 8) || 'c';
  return `${readable}_${randomDigits(8)}`;
}
