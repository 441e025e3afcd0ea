# gradwatch-corpus: kind=graph-chain
# holder: learner.fast | self.fast | self.learner.fast
# about: fast weights of one task become the start of the next one, create_graph and all
import torch
from learner import FastLinear
from tasks import sinusoid_tasks


def main():
    torch.manual_seed(0)
    learner = FastLinear(32, 1)
    meta_optimizer = torch.optim.Adam(learner.parameters(), lr=1e-3)
    for iteration, (support, query) in enumerate(sinusoid_tasks(60)):
        learner.adapt(*support, lr=0.01)
        meta_loss = learner.loss(*query)
        meta_optimizer.zero_grad()
        meta_loss.backward(retain_graph=True)
        meta_optimizer.step()
        if iteration % 20 == 0:
            print(f"task {iteration:3d}  meta loss {meta_loss.item():.4f}")


if __name__ == "__main__":
    main()
