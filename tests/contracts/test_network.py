"""The guard itself: a test that reaches for the network must fail."""

from __future__ import annotations

import socket

import pytest


@pytest.mark.parametrize(
    ("family", "address"),
    [(socket.AF_INET, ("192.0.2.1", 80)), (socket.AF_INET6, ("2001:db8::1", 80, 0, 0))],
)
def test_connect_beyond_loopback_is_refused(
    family: socket.AddressFamily, address: tuple[object, ...], no_network: list[str]
) -> None:
    with socket.socket(family) as sock, pytest.raises(PermissionError, match="may not leave"):
        sock.connect(address)
    assert len(no_network) == 1
    no_network.clear()


def test_looking_up_a_name_is_refused(no_network: list[str]) -> None:
    with pytest.raises(PermissionError, match="may not leave"):
        socket.getaddrinfo("example.invalid", 80)
    assert len(no_network) == 1
    no_network.clear()


def test_loopback_is_allowed() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
