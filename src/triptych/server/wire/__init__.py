"""The data that is sent to clients and received from them: messages, bodies, errors."""
