import { useState } from 'react';
import { Button } from './button.js';

export function CopyBlock({ title, text }: { title: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <section>
      <header className="mb-1 flex items-center justify-between">
        <h3 className="font-medium">{title}</h3>
        <Button kind="quiet" onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}>
          {isCopied ? 'Copied' : 'Copy'}
          <span className="sr-only">{title}</span>
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-auto rounded-lg bg-sunken p-4 text-xs">
        {text}
      </pre>
    </section>
  );
}
