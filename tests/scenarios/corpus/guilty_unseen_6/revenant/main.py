# gradwatch-corpus: kind=graph-held
# holder: self.ring | pilot.past.ring | self.past.ring | past.ring
# first-bad: 1
# also: graph-unused
"""Off-policy actor-critic with clipped importance weights on a glider that must stay in a thermal."""
import torch

from agent import Pilot
from glider import Thermal


def fly(pilot, air, minutes, learn_every, warm):
    seen, score = air.reset(), 0.0
    for minute in range(minutes):
        move, hint = pilot.act(seen)
        nxt, lift, out = air.step(move)
        pilot.past.keep(seen, move, lift, nxt, out, *hint)  # <- culprit
        score += lift
        seen = air.reset() if out else nxt
        if minute >= warm and minute % learn_every == 0:
            yield minute, score / (minute + 1), pilot.learn()


def main():
    torch.manual_seed(31)
    pilot, air = Pilot(4, 3), Thermal(seed=31)
    for n, (minute, lift, loss) in enumerate(fly(pilot, air, minutes=760, learn_every=2, warm=60)):
        if n % 50 == 0:
            print(f"minute {minute} mean lift {lift:.3f} loss {loss:.4f} memory {len(pilot.past.ring)}", flush=True)


if __name__ == "__main__":
    main()
