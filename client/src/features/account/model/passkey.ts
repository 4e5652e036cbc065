// Passkeys in the browser: the standard's JSON to what `navigator.credentials` takes, and back.

/** Whether this page may have passkeys at all: a secure place, under a name. */
export const canHavePasskeys = (): boolean =>
  window.isSecureContext &&
  typeof PublicKeyCredential === 'function' &&
  /[a-z]/i.test(location.hostname.split('.').at(-1) ?? '');

type Json = Readonly<Record<string, unknown>>;

function bytes(text: unknown): ArrayBuffer {
  const decoded = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(decoded, (char) => char.charCodeAt(0)).buffer;
}

function text(buffer: ArrayBuffer): string {
  const characters = [...new Uint8Array(buffer)].map((byte) => String.fromCharCode(byte)).join('');
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const descriptors = (list: unknown): PublicKeyCredentialDescriptor[] =>
  ((list ?? []) as readonly Json[]).map((passkey) => ({ id: bytes(passkey['id']), type: 'public-key' }));

function credentialJson(credential: Credential | null, response: (answer: AuthenticatorResponse) => Json): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException(undefined, 'NotAllowedError');
  const id = text(credential.rawId);
  const clientDataJSON = text(credential.response.clientDataJSON);
  return { id, rawId: id, type: credential.type, response: { clientDataJSON, ...response(credential.response) } };
}

/** Let the browser make a passkey; throws what the browser throws when the person changes their mind. */
export async function createPasskey(options: unknown): Promise<Json> {
  const request = options as Json & { user: Json };
  const publicKey = {
    ...request,
    challenge: bytes(request['challenge']),
    user: { ...request.user, id: bytes(request.user['id']) },
    excludeCredentials: descriptors(request['excludeCredentials']),
  } as unknown as PublicKeyCredentialCreationOptions;
  return credentialJson(await navigator.credentials.create({ publicKey }), (answer) => ({
    attestationObject: text((answer as AuthenticatorAttestationResponse).attestationObject),
  }));
}

/** Let the person show a passkey. */
export async function authenticateWithPasskey(options: unknown): Promise<Json> {
  const request = options as Json;
  const publicKey = {
    ...request,
    challenge: bytes(request['challenge']),
    allowCredentials: descriptors(request['allowCredentials']),
  } as unknown as PublicKeyCredentialRequestOptions;
  return credentialJson(await navigator.credentials.get({ publicKey }), (answer) => {
    const { authenticatorData, signature, userHandle } = answer as AuthenticatorAssertionResponse;
    return {
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      userHandle: userHandle && text(userHandle),
    };
  });
}
