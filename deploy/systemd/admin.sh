#!/bin/sh
# The administrator's commands, with the settings, the secrets and the data folder of the units. Installed as
# /usr/local/sbin/counterfoil-admin. Run it as root, who alone reads the secrets.
cd /opt/counterfoil || exit
exec env NODE_ENV=production DATA_DIR=/var/lib/counterfoil \
  DATABASE_URL_FILE=/etc/counterfoil/secrets/database-url \
  SECRETS_KEY_FILE=/etc/counterfoil/secrets/secrets-key \
  node --env-file=/etc/counterfoil/counterfoil.env dist/apps/admin/src/main.js "$@"
