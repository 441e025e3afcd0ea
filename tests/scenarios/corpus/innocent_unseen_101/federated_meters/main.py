# gradwatch-corpus: kind=none
"""FedProx on household electricity meters. Each round samples clients and opens one job for each."""
import torch

from households import Households
from jobs import ACTIVE, open_job
from server import Server


def main():
    torch.set_num_threads(1)
    torch.manual_seed(70)
    homes = Households(n=12, seed=71)
    server = Server(n_inputs=homes.n_inputs)
    for rnd in range(9):
        reports = []
        for home in server.sample(homes.n, 2, rnd):
            with open_job((rnd, home), server.global_model(), mu=0.05) as job:
                for x, y in homes.stream(home, rnd, n_batches=22):
                    job.step(x, y)
                reports.append(job.report())
        server.aggregate(reports)
        fit = sum(r["fit"] for r in reports) / len(reports)
        pull = sum(r["pull"] for r in reports) / len(reports)
        print(f"round {rnd} fit {fit:.3f} pull {pull:.4f} gain {reports[0]['gain']:.3f} active {len(ACTIVE)}")


if __name__ == "__main__":
    main()
