# gradwatch-corpus: kind=graph-held
# holder: self.storage | self.memory.storage | agent.memory.storage
# first-bad: 1
from agent import Agent, AgentConfig
from arena import ConnectLine
import torch


def main():
    cfg = AgentConfig()
    torch.manual_seed(cfg.seed)
    agent = Agent(cfg, ConnectLine.n_cells)
    scores = []
    for game in range(cfg.games):
        env = ConnectLine(batch=cfg.parallel)
        scores.append(agent.play_and_learn(env))
        if (game + 1) % 50 == 0:
            print("games", game + 1, "mean score", round(sum(scores[-50:]) / 50, 3))


if __name__ == "__main__":
    main()
