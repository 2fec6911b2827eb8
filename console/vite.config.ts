import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The dev server forwards the requests of the console to a running service. */
const service = process.env.TAPROOT_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The content security policy allows data URLs only for images, so the build inlines no assets.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: Object.fromEntries(['/graphql', '/api', '/console'].map((path) => [path, service])) },
});
