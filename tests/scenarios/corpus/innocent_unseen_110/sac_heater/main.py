# gradwatch-corpus: kind=none
"""Twin-critic control of a room heater."""
import torch

from agent import HeaterAgent
from room import Room, RingBuffer


def main(iters=320):
    torch.set_num_threads(1)
    torch.manual_seed(4)
    room, buf = Room(16), RingBuffer(4096, 3, 1)
    agent = HeaterAgent(3, 1)
    log = []
    for it in range(iters):
        o = room.obs()
        a = agent.act(o)
        r = room.step(a)
        buf.write(o, a, r, room.obs())
        if buf.count < 128:
            continue
        log.append(agent.update(*buf.sample(48)))
        if it % 40 == 0:
            c, p, al = log[-1]
            print(f"{it:4d} reward {r.mean().item():.3f} critic {c:.4f} actor {p:.4f} alpha {al:.3f}")
    print("updates", len(log), "last critic mean", sum(x[0] for x in log[-50:]) / 50)


if __name__ == "__main__":
    main()
