"""Makes imported-hashes.json with Python's hashlib, an implementation that is independent of Node.js.

python3 lib/crypto/testing/make-imported-hashes.py > lib/crypto/testing/imported-hashes.json
"""

import base64
import hashlib
import json
import struct


def b64(data):
    return base64.b64encode(data).decode()


def salt(label, length=16):
    return hashlib.sha256(label.encode()).digest()[:length]


def aspnet_v2(password, label, iterations=1000):
    subkey = hashlib.pbkdf2_hmac('sha1', password.encode(), salt(label), iterations, 32)
    return b64(b'\x00' + salt(label) + subkey)


def aspnet_v3(password, label, prf, iterations, salt_length=16, length=32):
    name = ('sha1', 'sha256', 'sha512')[prf]
    used = hashlib.sha512(label.encode()).digest()[:salt_length]
    subkey = hashlib.pbkdf2_hmac(name, password.encode(), used, iterations, length)
    return b64(b'\x01' + struct.pack('>III', prf, iterations, salt_length) + used + subkey)


def membership_reboot(password, label, iterations):
    return f'{iterations:X}.{aspnet_v2(password, label, iterations)}'


def secret(value):
    data = value.encode()
    return {
        'secret': value,
        'sha256': b64(hashlib.sha256(data).digest()),
        'sha512': b64(hashlib.sha512(data).digest()),
    }


def stored_token(token):
    """Its key in the stores of IdentityServer3 and IdentityServer4."""
    digest = lambda value: hashlib.sha256(value.encode()).digest()
    return {
        'token': token,
        'identityserver3': base64.urlsafe_b64encode(digest(token)).decode().rstrip('='),
        'identityserver4_reference': b64(digest(token + ':reference_token')),
        'identityserver4_refresh': b64(digest(token + ':refresh_token')),
    }


rabbit = 'the white rabbit is late'
umlaut = 'Grüße 🐇 Ελλάδα'
passwords = [
    ('ASP.NET Identity v2', rabbit, aspnet_v2(rabbit, 'v2')),
    ('ASP.NET Identity v2, not ASCII', umlaut, aspnet_v2(umlaut, 'v2 umlaut')),
    ('ASP.NET Identity v3, HMAC-SHA1', rabbit, aspnet_v3(rabbit, 'v3 sha1', 0, 10_000)),
    ('ASP.NET Identity v3, HMAC-SHA256', rabbit, aspnet_v3(rabbit, 'v3 sha256', 1, 10_000)),
    ('ASP.NET Identity v3, HMAC-SHA512', rabbit, aspnet_v3(rabbit, 'v3 sha512', 2, 100_000)),
    ('ASP.NET Identity v3, long salt and subkey', umlaut, aspnet_v3(umlaut, 'v3 long', 2, 1_000, 32, 64)),
    ('ASP.NET Identity v3, short subkey', rabbit, aspnet_v3(rabbit, 'v3 short', 1, 1_000, 16, 16)),
    ('MembershipReboot', rabbit, membership_reboot(rabbit, 'mr', 64_000)),
    ('MembershipReboot of 2016', umlaut, membership_reboot(umlaut, 'mr 2016', 256_000)),
    ('MembershipReboot without iterations', rabbit, aspnet_v2(rabbit, 'mr old')),
]
document = {
    'passwords': [dict(zip(('kind', 'password', 'exported'), row)) for row in passwords],
    'secrets': [secret('secret'), secret('K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72:ol/Unpe=%2b'), secret('schlüssel')],
    'tokens': [stored_token(hashlib.sha256(f'token {count}'.encode()).hexdigest()) for count in range(4)]
    + [stored_token('4f2d7e0c9b1a4c55a6e1f03b7d92c8aa'), stored_token('Zk3vX9-bQ_0aLw7YtR2sVnM5pH8cJdE1uGiKoTfWyxA')],
}
print(json.dumps(document, indent=2, ensure_ascii=False))
