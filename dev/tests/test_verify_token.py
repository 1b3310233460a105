"""What dev/verify-token accepts and, above all, what it refuses."""
import base64
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = str(pathlib.Path(__file__).parent.parent / "verify-token")
LOADER = importlib.machinery.SourceFileLoader("verify_token", SCRIPT)
SPEC = importlib.util.spec_from_loader("verify_token", LOADER)
verify_token = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(verify_token)

ISSUER = "https://id.example/acme"
NOW = 1_700_000_000


def encode(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True).stdout


class Key:
    """A key pair made by openssl."""

    def __init__(self, folder, kid, algorithm):
        self.kid, self.algorithm, self.file = kid, algorithm, str(pathlib.Path(folder) / (kid + ".pem"))
        if algorithm == "ES256":
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.file)
            point = openssl("pkey", "-in", self.file, "-pubout", "-outform", "DER")[-64:]
            self.jwk = {"kty": "EC", "crv": "P-256", "x": encode(point[:32]), "y": encode(point[32:])}
        else:
            openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.file)
            modulus = openssl("rsa", "-in", self.file, "-noout", "-modulus").decode().strip().split("=")[1]
            self.jwk = {"kty": "RSA", "n": encode(bytes.fromhex(modulus)), "e": "AQAB"}
        self.jwk.update(kid=kid, alg=algorithm, use="sig")

    def sign(self, header, claims):
        signed = ".".join(encode(json.dumps(part).encode()) for part in (header, claims))
        signature = openssl("dgst", "-sha256", "-sign", self.file, data=signed.encode())
        if self.algorithm == "ES256":
            r_size = signature[3]
            r, s = signature[4:4 + r_size], signature[6 + r_size:]
            signature = b"".join(n.lstrip(b"\0").rjust(32, b"\0") for n in (r, s))
        return signed + "." + encode(signature)


class VerifyTokenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.keys = {a: Key(cls.folder.name, "key-" + a, a) for a in ("ES256", "RS256")}
        cls.stranger = Key(cls.folder.name, "key-ES256-of-another", "ES256")
        cls.jwks = {"keys": [key.jwk for key in cls.keys.values()]}

    def token(self, key=None, header=None, claims=None):
        key = key or self.keys["ES256"]
        return key.sign(
            {"alg": key.algorithm, "typ": "at+jwt", "kid": key.kid, **(header or {})},
            {"iss": ISSUER, "aud": ISSUER, "exp": NOW + 60, "iat": NOW, "client_id": "app", **(claims or {})})

    def verify(self, token, issuer=ISSUER, audience=ISSUER):
        return verify_token.verify(token, {"issuer": ISSUER}, self.jwks, issuer, audience, NOW)

    def assert_refused(self, why, token, **more):
        with self.assertRaisesRegex(verify_token.Refused, why):
            self.verify(token, **more)

    def test_a_good_token_holds_with_either_algorithm(self):
        for key in self.keys.values():
            for _ in range(8):  # leading zeros in ECDSA signatures come and go
                self.assertEqual(self.verify(self.token(key))[1]["client_id"], "app")

    def test_a_changed_token_is_refused(self):
        header, _, signature = self.token().split(".")
        claims = encode(json.dumps({"iss": ISSUER, "aud": ISSUER, "exp": NOW + 999, "iat": NOW, "client_id": "x"}).encode())
        self.assert_refused("signature is wrong", ".".join((header, claims, signature)))

    def test_a_strangers_signature_under_a_known_kid_is_refused(self):
        forged = self.stranger.sign(
            {"alg": "ES256", "typ": "at+jwt", "kid": "key-ES256"},
            {"iss": ISSUER, "aud": ISSUER, "exp": NOW + 60, "iat": NOW, "client_id": "app"})
        self.assert_refused("signature is wrong", forged)

    def test_an_unknown_key_is_refused(self):
        self.assert_refused("not among the issuer's", self.token(self.stranger))

    def test_other_algorithms_and_types_are_refused(self):
        self.assert_refused("unexpected algorithm", self.token(header={"alg": "none"}))
        self.assert_refused("another algorithm", self.token(header={"alg": "RS256"}))
        self.assert_refused("not an access token", self.token(header={"typ": "JWT"}))

    def test_wrong_claims_are_refused(self):
        self.assert_refused("issued by another", self.token(claims={"iss": "https://id.example/other"}))
        self.assert_refused("meant for others", self.token(claims={"aud": ["https://api.example"]}))
        self.assert_refused("expired", self.token(claims={"exp": NOW}))
        self.assert_refused("in the future", self.token(claims={"iat": NOW + 600}))
        self.assert_refused("another issuer", self.token(), issuer="https://id.example/other")

    def test_rubbish_is_refused(self):
        for rubbish in ("", "a", "a.b", "a.b.c", "....", self.token() + ".x", self.token().replace(".", "")):
            self.assert_refused("", rubbish)


if __name__ == "__main__":
    unittest.main()
