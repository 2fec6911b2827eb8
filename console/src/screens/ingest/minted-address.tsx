import { Button } from '../../ui/button.js';
import { CopyBlock } from '../../ui/copy-block.js';
import { Notice } from '../../ui/notice.js';

interface MintedAddressProps {
  endpointUrl: string;
  /** Whether the tap accepts only deliveries with a signature or a secret of the sender. */
  isVerified: boolean;
  onClose: () => void;
}

/** The service returns the URL of a new token only once, and the console does not store it. */
export function MintedAddress({ endpointUrl, isVerified, onClose }: MintedAddressProps) {
  return (
    <section aria-label="New address" className="rounded-xl border border-accent bg-surface p-5">
      <Notice tone="warn" title="Copy the address now" actions={<Button onClick={onClose}>I stored it</Button>}>
        The address contains the secret token. The service shows the address only once.
      </Notice>
      <div className="mt-4 space-y-4 text-sm">
        <CopyBlock title="Address" text={endpointUrl} />
        <CopyBlock title="Try it" text={curlOf(endpointUrl)} />
        {isVerified && (
          <p className="text-muted">
            This tap verifies its sender: without a valid signature or secret, the service rejects this request with
            401.
          </p>
        )}
      </div>
    </section>
  );
}

function curlOf(endpointUrl: string): string {
  return `curl '${endpointUrl}' \\\n  -H 'content-type: application/json' \\\n  -d '[{"id": 1, "name": "first"}]'`;
}
