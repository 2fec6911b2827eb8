import { LogOut, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import type { Session } from '../session/session.js';
import { Button } from '../ui/button.js';
import { chooseTheme, currentTheme } from '../ui/theme.js';

interface UserMenuProps {
  name: string;
  email: string;
  session: Session;
}

export function UserMenu({ name, email, session }: UserMenuProps) {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  const toggle = (): void => {
    chooseTheme(other);
    setTheme(other);
  };
  return (
    <div className="flex items-center gap-1 lg:mt-auto lg:border-t lg:border-line lg:pt-3">
      <div className="mr-auto hidden min-w-0 px-1 lg:block">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="truncate text-xs text-muted">{email}</p>
      </div>
      <Button kind="quiet" className="px-2!" aria-label={`Use the ${other} theme`} onClick={toggle}>
        {theme === 'dark' ? <Sun aria-hidden className="size-4" /> : <Moon aria-hidden className="size-4" />}
      </Button>
      <Button kind="quiet" className="px-2!" aria-label="Sign out" onClick={() => session.signOut()}>
        <LogOut aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
