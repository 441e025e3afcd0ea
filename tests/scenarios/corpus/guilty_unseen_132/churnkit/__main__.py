# gradwatch-corpus: kind=crashed
# holder: verdict
# first-bad: 0
# notice: 0
"""python -m churnkit : weekly retrain of the subscription-churn scorer."""
import torch

torch.set_num_threads(1)

from .accounts import weekly_frame
from .scorer import ChurnScorer, retrain


def main():
    torch.manual_seed(1009)
    frame = weekly_frame(600)
    scorer = ChurnScorer(frame["usage"].shape[1], frame["plan"].max().item() + 1)
    report = retrain(scorer, frame, rounds=300)
    print("final", report)


main()
