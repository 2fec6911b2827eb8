import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** The search starts after this pause in the typing, so that not every letter causes a request. */
const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const router = useRouter();
  const send = (): void => {
    // While another page loads, a search would cancel the navigation to that page.
    const isLeaving = router.latestLocation.pathname !== router.state.resolvedLocation?.pathname;
    if (text === sent.current || isLeaving) return;
    sent.current = text;
    onChange(text);
  };
  useEffect(() => {
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(send, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <label className="relative mb-5 block max-w-md">
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="absolute top-2.5 left-3 size-4 text-muted" />
      <input
        type="search"
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="w-full rounded-lg border border-line bg-surface py-2 pr-3 pl-9 text-sm"
      />
    </label>
  );
}
