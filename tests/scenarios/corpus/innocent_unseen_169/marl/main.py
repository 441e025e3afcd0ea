# gradwatch-corpus: kind=none
import torch

from agents import Team
from arena import Arena
from hooks import Recorder

torch.set_num_threads(1)
torch.manual_seed(121)

STAGES = [
    {"episodes": 40, "reuse": 1, "mode": "independent"},
    {"episodes": 30, "reuse": 3, "mode": "independent"},
    {"episodes": 40, "reuse": 1, "mode": "central"},
]


def main():
    arena, team = Arena(n_agents=3), Team(3, obs=5, n_act=4)
    recorder, curve = Recorder(keep=4), []
    for number, stage in enumerate(STAGES):
        for _ in range(stage["episodes"]):
            episode = team.play(arena)
            recorder.open(episode)
            team.learn(episode, stage["mode"], stage["reuse"])
            curve.append(episode.total())
            recorder.close()
        print(f"stage {number} {stage['mode']}: return {sum(curve[-10:]) / 10:.3f}, kept {len(recorder)} episodes")
        recorder.reset()


if __name__ == "__main__":
    main()
