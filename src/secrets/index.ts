import type { DomainManifest } from '../kernel/entities/domain-manifest.js';
import { DataKey } from './data-key.js';

export const secrets: DomainManifest = { entities: [DataKey], resolvers: [] };
