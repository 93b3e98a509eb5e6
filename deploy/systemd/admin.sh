#!/bin/sh
# The administrator's commands, with the settings, the secrets and the data folder of the units. Installed as
# /usr/local/sbin/counterfoil-admin. Run it as root, who alone reads the secrets.
set -e
cd /opt/counterfoil
set -- dist/apps/admin/src/main.js "$@"
[ ! -e /etc/counterfoil/counterfoil.env ] || set -- --env-file=/etc/counterfoil/counterfoil.env "$@"
# Of two files, the later one counts.
exec env -u NODE_ENV -u DATA_DIR node --env-file=deploy/systemd/admin.env "$@"
