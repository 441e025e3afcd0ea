# gradwatch-corpus: kind=none
# about: losses with their graphs are appended to a list on the instance and summed for one backward, but the list is emptied at each optimizer step
"""Visual-inertial alignment: small regressor of gimbal angles from optical flow, several camera rigs per update."""
import torch

from rigs import fleet
from session import Session


def main():
    torch.manual_seed(70)
    session = Session(rigs=4, lr=3e-3)
    for k, (rig, flow, angles) in enumerate(fleet(rigs=4, rounds=220)):
        session.take(rig, flow, angles)
        if (k + 1) % 160 == 0:
            print(f"after {k + 1} clips: {session.digest()}")


if __name__ == "__main__":
    main()
