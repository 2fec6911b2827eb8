import { classNames } from './class-names.js';

const SIZES = { small: 'size-8 text-sm', large: 'size-11 text-lg' };

interface VendorMarkProps {
  vendor: { name: string; logo?: Record<string, unknown> | null };
  size?: keyof typeof SIZES;
}

/**
 * If the logo is not a file of the service, shows the vendor's initial. The content security policy forbids images of
 * other sites.
 */
export function VendorMark({ vendor: { name, logo }, size = 'small' }: VendorMarkProps) {
  const url = typeof logo?.url === 'string' && logo.url.startsWith('/') ? logo.url : undefined;
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-lg font-semibold text-accent',
        url ? 'border border-line bg-white p-1.5' : 'bg-accent-soft',
        SIZES[size],
      )}
    >
      {url ? <img src={url} alt="" className="size-full" /> : name.charAt(0)}
    </span>
  );
}
