#!/bin/sh
# Makes the passwords of compose.yaml, once: secrets.sh [FOLDER]. Neither command lines nor environments show them.
# The folder is open to its owner alone; the files in it are readable, for each container reads its own as another user.
set -eu
folder=${1:-$(dirname "$0")/secrets}
if [ -e "$folder/postgres_password" ]; then
    echo "$folder has passwords already; remove them first if you want new ones" >&2
    exit 1
fi
mkdir -p "$folder"
chmod 700 "$folder"
password() { od -An -v -N 24 -tx1 /dev/urandom | tr -d ' \n'; }
postgres=$(password)
nats=$(password)
printf '%s' "$postgres" >"$folder/postgres_password"
printf 'postgresql://triptych:%s@database/triptych\n' "$postgres" >"$folder/database_url"
printf 'nats://triptych:%s@bus:4222\n' "$nats" >"$folder/bus_url"
printf 'authorization { user: triptych, password: "%s" }\n' "$nats" >"$folder/nats.conf"
chmod 644 "$folder"/*
