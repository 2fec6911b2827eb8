import type { Domain } from '../kernel/domain.js';
import { DataKey } from './data-key.js';

export const secrets: Domain = { entities: [DataKey], resolvers: [] };
