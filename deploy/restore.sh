#!/bin/sh
# Puts a copy in the place of a stopped server's database; what was there is kept in a folder next to it. A PostgreSQL
# (a URL, or @FILE with one) has to be empty.
# restore.sh TRIPTYCH COPY DATABASE
set -eu
triptych=$1
copy=$2
database=$3

case "$database" in
@* | *://*) exec "$triptych" restore "$copy" --database "$database" ;;
esac

aside="$database.$(date -u +%Y%m%dT%H%M%SZ)"
mkdir "$aside"
for file in "$database" "$database-wal" "$database-shm"; do
    if [ -e "$file" ]; then
        mv "$file" "$aside/"
    fi
done
"$triptych" restore "$copy" --database "$database"
