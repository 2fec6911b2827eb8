import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './app/router.js';
import { StartFailure } from './app/start-failure.js';
import { resumeDemoSession } from './session/demo-session.js';
import { loadSettings } from './session/settings.js';
import { applyTheme } from './ui/theme.js';
import './styles.css';

const root = createRoot(document.getElementById('console') as HTMLElement);

async function start(): Promise<void> {
  applyTheme();
  const settings = await loadSettings();
  const { signIn } = settings;
  const session = signIn.kind === 'demo' ? await resumeDemoSession(signIn.workspace) : undefined;
  const router = createConsoleRouter({ settings, sessions: { current: session } });
  root.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}

start().catch((error: Error) => root.render(<StartFailure message={error.message} />));
