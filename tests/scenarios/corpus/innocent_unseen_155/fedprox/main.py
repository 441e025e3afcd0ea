# gradwatch-corpus: kind=none
import torch

from client import Client, shards
from server import Server


def main():
    torch.manual_seed(33)
    torch.set_num_threads(1)
    server = Server([Client(i, *s) for i, s in enumerate(shards(4))])
    for r in range(12):
        stats = server.round(local_steps=3)
        if r % 4 == 3:
            print(r, {k: round(v, 3) for k, v in stats.items()})
    print("versions kept", len(server.snapshots))


if __name__ == "__main__":
    main()
