import { KeptPort } from '../servers/kept-port.js';
import { KeptServices } from '../service/kept-services.js';
import { aCatalogFolder, fakeVendorDefinitions } from '../vendors/fake-vendor-definitions.js';

/** Services whose catalog refers to a fake vendor and its authorization server on these ports. */
export interface KeptWorld {
  readonly vendorPort: KeptPort;
  readonly providerPort: KeptPort;
  readonly services: KeptServices;
}

const idle: KeptWorld[] = [];

export async function takeKeptWorld(): Promise<KeptWorld> {
  return idle.pop() ?? openKeptWorld();
}

export function giveBackWorld(world: KeptWorld): void {
  idle.push(world);
}

async function openKeptWorld(): Promise<KeptWorld> {
  const [vendorPort, providerPort] = await Promise.all([new KeptPort().open(), new KeptPort().open()]);
  const catalog = await aCatalogFolder(fakeVendorDefinitions(vendorPort.origin, { issuer: providerPort.origin }));
  const services = new KeptServices({ CATALOG_DIR: catalog.folder, ...LOOPBACK_ALLOWED });
  return { vendorPort, providerPort, services };
}

export const LOOPBACK_ALLOWED = { EGRESS_ALLOW: '127.0.0.0/8' };
