"""Makes exported-users.json: exports of users of other products, in their documented shapes, with hashes of independent code.

pip install bcrypt argon2-cffi passlib django
python3 lib/crypto/testing/make-exported-users.py > lib/crypto/testing/exported-users.json
"""

import base64
import hashlib
import json
import subprocess

import argon2.low_level
import bcrypt
import django
from django.conf import settings
from django.contrib.auth.hashers import make_password
from passlib import hash as passlib

settings.configure(
    PASSWORD_HASHERS=[
        f'django.contrib.auth.hashers.{name}PasswordHasher'
        for name in ('PBKDF2', 'PBKDF2SHA1', 'Argon2', 'BCryptSHA256', 'BCrypt', 'Scrypt')
    ]
)
django.setup()

rabbit = 'the white rabbit is late'
umlaut = 'Grüße 🐇 Ελλάδα'
long = 'down the rabbit hole ' * 5


def b64(data):
    return base64.b64encode(data).decode()


def salt(label, length=16):
    return hashlib.sha256(label.encode()).digest()[:length]


def bcrypt_of(password, cost=10, prefix=b'2b'):
    made = bcrypt.hashpw(password.encode()[:72], bcrypt.gensalt(cost, prefix=prefix if prefix != b'2y' else b'2b'))
    return made.decode().replace('$2b$', f'${prefix.decode()}$')


def argon2_of(password, type_name, memory=7168, passes=5, lanes=1):
    kind = {'id': argon2.low_level.Type.ID, 'i': argon2.low_level.Type.I, 'd': argon2.low_level.Type.D}[type_name]
    return argon2.low_level.hash_secret(password.encode(), salt(type_name), passes, memory, lanes, 32, kind).decode()


texts = [
    ('bcrypt 2b', rabbit, bcrypt_of(rabbit)),
    ('bcrypt 2a', umlaut, bcrypt_of(umlaut, prefix=b'2a')),
    ('bcrypt 2y of PHP', rabbit, bcrypt_of(rabbit, 11, b'2y')),
    ('bcrypt of more than 72 bytes', long, bcrypt_of(long, 4)),
    ('Argon2id', rabbit, argon2_of(rabbit, 'id')),
    ('Argon2i', umlaut, argon2_of(umlaut, 'i', 1024, 3, 4)),
    ('Argon2d', rabbit, argon2_of(rabbit, 'd', 1024, 2, 2)),
    ('Passlib scrypt', rabbit, passlib.scrypt.using(rounds=14).hash(rabbit)),
    ('Passlib PBKDF2 SHA-1', rabbit, passlib.pbkdf2_sha1.using(rounds=20_000).hash(rabbit)),
    ('Passlib PBKDF2 SHA-256', umlaut, passlib.pbkdf2_sha256.using(rounds=29_000).hash(umlaut)),
    ('Passlib PBKDF2 SHA-512', rabbit, passlib.pbkdf2_sha512.using(rounds=25_000).hash(rabbit)),
    ('phpass of WordPress', rabbit, passlib.phpass.using(rounds=13, ident='P').hash(rabbit)),
    ('phpass of phpBB', umlaut, passlib.phpass.using(rounds=11, ident='H').hash(umlaut)),
    ('Django PBKDF2', rabbit, make_password(rabbit)),
    ('Django PBKDF2 SHA-1', umlaut, make_password(umlaut, hasher='pbkdf2_sha1')),
    ('Django PBKDF2 with a salt of 12 characters', rabbit, make_password(rabbit, salt='seasalt12345')),
    ('Django Argon2', umlaut, make_password(umlaut, hasher='argon2')),
    ('Django bcrypt SHA-256', long, make_password(long, hasher='bcrypt_sha256')),
    ('Django bcrypt', rabbit, make_password(rabbit, hasher='bcrypt')),
    ('Django scrypt', umlaut, make_password(umlaut, hasher='scrypt')),
]


def credential(value, used, algorithm, iterations, **additional):
    return {
        'id': '0d3c1d6c-0000-4000-8000-00000000c0de',
        'type': 'password',
        'userLabel': 'My password',
        'createdDate': 1700000000000,
        'secretData': json.dumps({'value': b64(value), 'salt': b64(used), 'additionalParameters': {}}),
        'credentialData': json.dumps(
            {'hashIterations': iterations, 'algorithm': algorithm, 'additionalParameters': additional}
        ),
    }


def keycloak_pbkdf2(password, label, algorithm, name, iterations):
    value = hashlib.pbkdf2_hmac(name, password.encode(), salt(label), iterations, 64)
    return credential(value, salt(label), algorithm, iterations)


def keycloak_argon2(password):
    value = argon2.low_level.hash_secret_raw(
        password.encode(), salt('keycloak'), 5, 7168, 1, 32, argon2.low_level.Type.ID
    )
    names = {'hashLength': ['32'], 'memory': ['7168'], 'type': ['id'], 'version': ['1.3'], 'parallelism': ['1']}
    return credential(value, salt('keycloak'), 'argon2', 5, **names)


def keycloak_user(number, username, password, **members):
    return {
        'id': f'3f6b6b1e-0000-4000-8000-{number:012d}',
        'username': username,
        'emailVerified': True,
        'createdTimestamp': 1700000000000,
        'enabled': True,
        'totp': False,
        'credentials': [] if password is None else [password],
        'disableableCredentialTypes': [],
        'requiredActions': [],
        'realmRoles': ['default-roles-wonderland'],
        'notBefore': 0,
        'groups': [],
        **members,
    }


otp = {
    'id': '0d3c1d6c-0000-4000-8000-000000000b0b',
    'type': 'otp',
    'secretData': '{"value":"secret"}',
    'credentialData': '{"subType":"totp","digits":6,"period":30,"algorithm":"HmacSHA1"}',
}
quick = keycloak_pbkdf2(rabbit, 'alice', 'pbkdf2-sha256', 'sha256', 27_500)
keycloak = {
    'id': 'wonderland',
    'realm': 'wonderland',
    'enabled': True,
    'accessTokenLifespan': 300,
    'passwordPolicy': 'hashIterations(27500)',
    'roles': {'realm': [{'name': 'staff'}]},
    'users': [
        keycloak_user(
            1,
            'alice',
            quick,
            email='alice@example.org',
            firstName='Alice',
            lastName='Liddell',
            attributes={'locale': ['de'], 'phoneNumber': ['+49 30 1234'], 'department': ['croquet']},
            realmRoles=['default-roles-wonderland', 'staff'],
            groups=['/garden'],
            federatedIdentities=[{'identityProvider': 'corp', 'userId': 'a-1', 'userName': 'alice'}],
        ),
        keycloak_user(2, 'bob', keycloak_argon2(umlaut)),
        keycloak_user(3, 'carol', keycloak_pbkdf2(rabbit, 'carol', 'pbkdf2-sha512', 'sha512', 210_000)),
        keycloak_user(
            4, 'dave', keycloak_pbkdf2(umlaut, 'dave', 'pbkdf2', 'sha1', 20_000), requiredActions=['UPDATE_PASSWORD']
        ),
        keycloak_user(5, 'erin', None, enabled=False),
        keycloak_user(6, 'frank', None, credentials=[quick, otp]),
        keycloak_user(7, 'grace', None, federationLink='ldap'),
        keycloak_user(8, 'heidi', credential(salt('heidi'), salt('h'), 'bcrypt', 10)),
        keycloak_user(
            9, 'service-account-reports', None, serviceAccountClientId='reports', emailVerified=False
        ),
    ],
    'clients': [{'clientId': 'account', 'redirectUris': ['/realms/wonderland/account/*']}],
}


def auth0_hash(number, email, hashed):
    return {
        '_id': {'$oid': f'60425dc43519d90068f8{number:04x}'},
        'email_verified': False,
        'email': email,
        'passwordHash': hashed,
        'password_set_date': {'$date': '2021-03-05T16:33:40.464Z'},
        'tenant': 'dev-wonderland',
        'connection': 'Username-Password-Authentication',
        '_tmp_is_unique': True,
    }


auth0 = [
    {
        'user_id': 'auth0|60425dc43519d90068f80001',
        'email': 'alice@example.org',
        'email_verified': True,
        'name': 'Alice Liddell',
        'nickname': 'alice',
        'picture': 'https://example.org/alice.png',
        'created_at': '2021-03-05T16:33:40.464Z',
        'app_metadata': {'plan': 'tea'},
        'identities': [
            {
                'connection': 'Username-Password-Authentication',
                'provider': 'auth0',
                'user_id': '60425dc43519d90068f80001',
                'isSocial': False,
            },
            {'connection': 'corp', 'provider': 'oidc', 'user_id': 'a-1', 'isSocial': True},
        ],
    },
    {'user_id': 'google-oauth2|1234', 'email': 'gina@example.org', 'email_verified': True, 'blocked': True},
    auth0_hash(1, 'alice@example.org', bcrypt_of(rabbit)),
    auth0_hash(2, 'bob@example.org', bcrypt_of(umlaut)),
    auth0_hash(3, 'carol@example.org', 'not a hash'),
]

# The parameters and the first user are those of the documentation of Firebase's scrypt
signer_key = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
separator = 'Bw=='


def firebase_hash(password, used):
    key = hashlib.scrypt(
        password.encode(), salt=used + base64.b64decode(separator), n=2**14, r=8, p=1, maxmem=2**26, dklen=64
    )[:32]
    command = ['openssl', 'enc', '-aes-256-ctr', '-K', key.hex(), '-iv', '0' * 32]
    return b64(subprocess.run(command, input=base64.b64decode(signer_key), capture_output=True, check=True).stdout)


firebase = {
    'users': [
        {
            'localId': 'firebase-1',
            'email': 'alice@example.org',
            'emailVerified': True,
            'passwordHash': 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
            'salt': '42xEC+ixf3L2lw==',
            'displayName': 'Alice Liddell',
            'photoUrl': 'https://example.org/alice.png',
            'lastSignedInAt': '1700000000000',
            'createdAt': '1700000000000',
            'customAttributes': '{"role":"staff","sub":"root"}',
            'providerUserInfo': [
                {'providerId': 'password', 'rawId': 'alice@example.org', 'email': 'alice@example.org'},
                {'providerId': 'corp', 'rawId': 'a-1', 'email': 'alice@example.org'},
            ],
        },
        {
            'localId': 'firebase-2',
            'email': 'bob@example.org',
            'passwordHash': firebase_hash(umlaut, salt('bob', 10)),
            'salt': b64(salt('bob', 10)),
            'disabled': False,
            'providerUserInfo': [],
        },
        {'localId': 'firebase-3', 'phoneNumber': '+15551234567', 'disabled': True, 'providerUserInfo': []},
    ],
    'hash_config': {
        'algorithm': 'SCRYPT',
        'base64_signer_key': signer_key,
        'base64_salt_separator': separator,
        'rounds': 8,
        'mem_cost': 14,
    },
}

document = {
    'texts': [dict(zip(('kind', 'password', 'exported'), row)) for row in texts],
    'passwords': {'rabbit': rabbit, 'umlaut': umlaut, 'firebase': 'user1password'},
    'keycloak': keycloak,
    'auth0': auth0,
    'firebase': firebase,
}
print(json.dumps(document, indent=2, ensure_ascii=False))
