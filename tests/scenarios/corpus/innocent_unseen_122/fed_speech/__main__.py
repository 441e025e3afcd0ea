# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)

from fed_speech.client import Client
from fed_speech.server import Server


def main():
    torch.manual_seed(70)
    server = Server()
    clients = [Client(k) for k in range(4)]
    for rnd in range(30):
        updates = [c.local_update(server.broadcast(), steps=5) for c in clients]
        server.aggregate(updates)
        if rnd % 6 == 5:
            print(f"round {rnd + 1} mean ctc {server.curve[-1]:.3f} best {server.best[0]:.3f}")


if __name__ == "__main__":
    main()
