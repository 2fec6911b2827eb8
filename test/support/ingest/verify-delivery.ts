import { type SenderConfig, type VerifiedSender, verifySender } from '../../../src/ingest/senders/verify-sender.js';
import type { Sender, SignedDelivery } from './sender-builder.js';
import { rawHeaders, type TamperedDelivery } from './tampered-deliveries.js';

export const ARRIVAL_MS = Date.parse('2026-03-01T12:00:00Z');

export interface SenderSettings {
  readonly strategy: Sender['strategy'];
  readonly config: SenderConfig;
}

/** Returns undefined for a rejected delivery. */
export function verifyDelivery(sender: SenderSettings, delivery: SignedDelivery): VerifiedSender | undefined {
  return verifyTampered(sender, { ...delivery, headers: rawHeaders(delivery.headers) });
}

export function verifyTampered(
  { strategy, config }: SenderSettings,
  delivery: Omit<TamperedDelivery, 'how'>,
): VerifiedSender | undefined {
  return verifySender(strategy, config, delivery, ARRIVAL_MS);
}
