export const SEALING_KEY = Buffer.alloc(32, 'geheim').toString('base64');

export const VAULT_VARIABLES = {
  SECRET_STORE: 'vault',
  VAULT_ADDR: 'https://vault.example.com:8200/',
  VAULT_TOKEN: 's.x',
};

/** Production also requires a secret store. */
export const PRODUCTION_VARIABLES = {
  NODE_ENV: 'production',
  AUTH_ISSUER: 'https://login.example.com',
  AUTH_AUDIENCE: 'taproot',
};
