# gradwatch-corpus: kind=none
"""Elevator group control with a small double Q learner."""
import torch

from agent import GroupController
from building import Building, BuildingSpec


def main() -> None:
    torch.manual_seed(404)
    spec = BuildingSpec()
    building = Building(spec, seed=405)
    controller = GroupController(spec)
    floor_calls = building.observe()
    waited = 0.0
    for tick in range(spec.ticks):
        choice = controller.decide(floor_calls, tick)
        reward, following = building.step(choice)
        controller.memory.add(floor_calls, choice, reward, following, controller.last_q)
        floor_calls = following
        waited -= reward.mean().item()
        if controller.memory.ready:
            controller.learn(tick)
        if tick % 25 == 24:
            print(f"tick {tick + 1} wait {waited / 25:.3f} td {controller.td:.4f} q-shift {controller.memory.q_shift():.4f}")
            waited = 0.0


if __name__ == "__main__":
    main()
