#!/bin/sh
# What root types on a machine with systemd: the installed referee's commands with the user, the configuration and
# the secrets of referee.service.  Installed as /usr/local/bin/referee (docs/admins/deploy.md).
# Files that a command names without a folder lie in /var/lib/referee.
set -eu
secrets=${REFEREE_SECRETS:-/etc/referee/secrets}
set -- /opt/referee/bin/referee "$@"
for file in "$secrets"/*; do
    [ ! -f "$file" ] || set -- "--property=LoadCredential=${file##*/}:$file" "$@"
done
exec systemd-run --quiet --collect --wait --pty --pipe --uid=referee --gid=referee --property=UMask=0077 \
    --working-directory=/var/lib/referee \
    --setenv=REFEREE_CONFIG="${REFEREE_CONFIG:-/etc/referee/referee.toml}" --setenv=PYTHONDONTWRITEBYTECODE=1 \
    --setenv=LANG="${LC_ALL:-${LC_MESSAGES:-${LANG:-C.UTF-8}}}" "$@"
