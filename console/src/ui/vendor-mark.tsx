import { classNames } from './class-names.js';

const SIZES = { small: 'size-8 text-sm', large: 'size-11 text-lg' };

interface VendorMarkProps {
  name: string;
  size?: keyof typeof SIZES;
}

/** The initial of a vendor, for vendors without a logo. */
export function VendorMark({ name, size = 'small' }: VendorMarkProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-lg bg-accent-soft font-semibold text-accent',
        SIZES[size],
      )}
    >
      {name.charAt(0)}
    </span>
  );
}
