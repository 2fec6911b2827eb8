import type { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import { wireEnum } from '../kernel/entities/wire-enum.js';

export const SyncResponsible = wireEnum('SyncResponsible', 'Who must act after a failure.', {
  vendor: 'The vendor.',
  customer: 'A user of the workspace.',
  operator: 'The operator of the service.',
});
export type SyncResponsible = keyof typeof SyncResponsible;

export interface SyncFailureAdvice {
  readonly responsible: SyncResponsible;
  readonly nextStep: string;
}

export const SYNC_FAILURE_ADVICE: Record<SyncErrorClass, SyncFailureAdvice> = {
  vendor_unavailable: {
    responsible: 'vendor',
    nextStep: 'Wait until the vendor is available again, then start a sync. Scheduled syncs try again automatically.',
  },
  rate_limited: {
    responsible: 'customer',
    nextStep: 'Start a sync later, schedule fewer syncs of the connection, or ask the vendor for a higher rate limit.',
  },
  credential: {
    responsible: 'customer',
    nextStep: 'Enter new credentials for the connection, or sign in with the vendor again. Then start a sync.',
  },
  permission: {
    responsible: 'customer',
    nextStep: 'Grant the missing permission at the vendor, or disable the tap. Then start a sync.',
  },
  configuration: {
    responsible: 'customer',
    nextStep:
      'The error message of the sync describes the problem. Correct the settings of the connection or of its taps, or free up storage. Then start a sync.',
  },
  contract: {
    responsible: 'operator',
    nextStep:
      'Read the first page of the tap with tryTap (POST /api/vendors/tenant-connector-instances/{instanceId}/try). Compare the records with the definition of the tap and with the contract of the table. Correct the definition or the contract, then start a sync.',
  },
  internal: {
    responsible: 'operator',
    nextStep: 'Find the error in the log of the service, and remove the cause of the error. Then start a sync.',
  },
};
