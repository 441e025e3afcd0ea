# gradwatch-corpus: kind=none
import torch

from agent import SlateAgent
from users import UserSim


def main(interactions=4500):
    torch.manual_seed(97)
    sim = UserSim(items=12, seed=97)
    agent = SlateAgent(items=12, session=10)
    clicks = []
    for t in range(interactions):
        item = agent.recommend(sim.context())
        reward = sim.respond(item)
        clicks.append(reward)
        agent.feedback(reward)
        if agent.session_over:
            agent.learn()
            sim.new_user()
        if (t + 1) % 900 == 0:
            print(t + 1, f"ctr {sum(clicks[-900:]) / 900:.3f}", f"baseline {float(agent.baseline):.3f}")


if __name__ == "__main__":
    main()
