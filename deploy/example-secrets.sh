#!/bin/sh
# Secrets for deploy/compose.yml, and a certificate for localhost that nobody else trusts: for trying it out on one machine.
set -eu
folder=$(dirname "$0")/certificates
mkdir -p "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
password=$(openssl rand -hex 24)
cat > "$(dirname "$0")/postgres.env" <<END
POSTGRES_USER=console
POSTGRES_DB=console
POSTGRES_PASSWORD=$password
END
cat <<END
DATABASE_URL=postgres://console:$password@postgres:5432/console
NEXTAUTH_SECRET=$(openssl rand -base64 32)
SESSION_KEY=1:$(openssl rand -base64 32)
AUDIT_KEY=$(openssl rand -base64 32)
LOG_KEY=$(openssl rand -base64 32)
END
