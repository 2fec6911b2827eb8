import { escapeMarkup } from '../kernel/formats/escape-markup.js';

interface Names {
  readonly connector: string;
  readonly workspace: string;
  /** Email address of the user who started the sign-in. */
  readonly starter: string;
}

type CallbackOutcome =
  | { readonly kind: 'unknown' }
  | ({ readonly kind: 'question' } & Names)
  | ({ readonly kind: 'done'; readonly works: boolean; readonly message: string } & Names)
  | ({ readonly kind: 'failed'; readonly message: string } & Names);

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: light-dark(#0003, #fff3) }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f8, #131416) }
main { box-sizing: border-box; width: min(32rem, 100% - 2rem); margin: 1rem; padding: 1.75rem 2rem 1.25rem; overflow-wrap: anywhere;
  background: light-dark(#fff, #1d1f22); border: 1px solid var(--line); border-top: 4px solid var(--tone); border-radius: .5rem }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3 }
p { margin: 0 0 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem }
dt { color: light-dark(#555, #aaa) }
dd { margin: 0; font-weight: 600 }
button { font: inherit; font-weight: 600; padding: .5rem 1.5rem; cursor: pointer; color: #fff; background: #0b62c4; border: 0; border-radius: .375rem }
button:focus-visible { outline: 3px solid light-dark(#0b62c4, #8bc0ff); outline-offset: 2px }`;

const TONES = { good: 'light-dark(#1a7f37, #3fb950)', bad: 'light-dark(#c0392b, #f0695c)', open: '#0b62c4' };

interface Content {
  readonly tone: keyof typeof TONES;
  readonly title: string;
  readonly body: string;
}

/** Escapes all names and messages. */
export function renderOAuthCallbackPage(outcome: CallbackOutcome): string {
  const { tone, title, body } = contentOf(outcome);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}
main { --tone: ${TONES[tone]} }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

function contentOf(outcome: CallbackOutcome): Content {
  if (outcome.kind === 'unknown')
    return {
      tone: 'bad',
      title: 'This sign-in cannot be completed',
      body: '<p>The sign-in was already completed, took longer than 10 minutes, or was not started in this service. Start the sign-in again from the page of the connection.</p>',
    };
  const connector = escapeMarkup(outcome.connector);
  if (outcome.kind === 'question') return { tone: 'open', title: `Connect ${connector}?`, body: question(outcome) };
  const message = escapeMarkup(outcome.message);
  if (outcome.kind === 'failed')
    return { tone: 'bad', title: `${connector} was not connected`, body: `<p>${message}</p>` };
  const title = outcome.works ? `${connector} is connected` : `${connector} is connected, but does not work yet`;
  return { tone: outcome.works ? 'good' : 'bad', title, body: `<p>${message}</p><p>You can close this page.</p>` };
}

/** Separates the names, which an attacker may have chosen, from the text. The form posts to the URL of the page. */
function question({ connector, workspace, starter }: Names): string {
  const rows = Object.entries({ Source: connector, 'To workspace': workspace, 'Started by': starter });
  return `<dl>
${rows.map(([what, name]) => `<dt>${what}</dt><dd><bdi>${escapeMarkup(name)}</bdi></dd>`).join('\n')}
</dl>
<p>Continue only if you started this sign-in yourself: members of that workspace will be able to read the data that you can access.</p>
<form method="post"><p><button>Connect</button></p></form>
<p>Otherwise close this page. Nothing has been connected.</p>`;
}
