"""A store of texts by key, over TCP on this machine: what a program has that starts its ranks itself."""

import socket
import struct
import threading


def _receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError("the store is gone")
        data += part
    return data


def _read(connection):
    return _receive(connection, struct.unpack("!I", _receive(connection, 4))[0])


def _write(connection, data):
    connection.sendall(struct.pack("!I", len(data)) + data)


class Server:
    """Holds the texts; a thread for each client."""

    def __init__(self):
        self._texts = {}
        self._changed = threading.Condition()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "%s:%d" % self._listener.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            while True:
                kind, key = _read(connection), _read(connection)
                if kind == b"set":
                    text = _read(connection)
                    with self._changed:
                        self._texts[key] = text
                        self._changed.notify_all()
                    continue
                with self._changed:
                    self._changed.wait_for(lambda: key in self._texts)
                    text = self._texts[key]
                _write(connection, text)
        except ConnectionError:
            pass


class Client:
    """set(key, bytes), and a get(key) that waits; its keys begin with a prefix."""

    def __init__(self, address, prefix="first"):
        host, port = address.split(":")
        self._connection = socket.create_connection((host, int(port)))
        self._prefix = prefix

    def _key(self, key):
        return f"{self._prefix}/{key}".encode()

    def set(self, key, text):
        _write(self._connection, b"set")
        _write(self._connection, self._key(key))
        _write(self._connection, text)

    def get(self, key):
        _write(self._connection, b"get")
        _write(self._connection, self._key(key))
        return _read(self._connection)
