#!/bin/sh
# Copies a room's database into a folder, checks the copy, and forgets all but the newest ones.
# backup.sh TRIPTYCH DATABASE FOLDER [KEPT]
set -eu
triptych=$1
database=$2
folder=$3
kept=${4:-14}

mkdir -p "$folder"
chmod 700 "$folder"
file="$folder/room-$(date -u +%Y%m%dT%H%M%SZ).db"
"$triptych" backup "$file" --database "$database"
if ! "$triptych" restore "$file" --check; then
    mv "$file" "$file.unsound"
    exit 1
fi
# The names sort by time.
find "$folder" -maxdepth 1 -name 'room-*.db' | sort -r | tail -n "+$((kept + 1))" | while read -r old; do
    rm -- "$old"
done
