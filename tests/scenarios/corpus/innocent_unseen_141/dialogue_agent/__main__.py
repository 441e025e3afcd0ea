# gradwatch-corpus: kind=none
import torch

from .agent import Negotiator
from .market import Haggle


def main():
    torch.set_num_threads(1)
    torch.manual_seed(37)
    agent = Negotiator()
    room = Haggle(max_turns=7)
    deals = []
    for episode in range(650):
        offer, over = room.open(), False
        agent.begin()
        while not over:
            offer, reward, over = room.reply(agent.act(offer))
            agent.rewards.append(reward)
        deals.append(agent.finish())
        if episode % 130 == 129:
            print(episode + 1, round(sum(deals[-130:]) / 130, 3), "baseline", round(agent.baseline, 3))


main()
