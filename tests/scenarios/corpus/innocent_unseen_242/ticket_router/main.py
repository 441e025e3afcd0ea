# gradwatch-corpus: kind=none
"""Route support tickets to a team. Trainer in the style of the big library, with accumulation."""
import json

import torch

from desk import TicketModel, make_tickets
from routing import RouterTrainer, RouterArguments


def main():
    args = RouterArguments(max_steps=40, gradient_accumulation_steps=4, logging_steps=8)
    torch.manual_seed(args.seed)
    train_set = make_tickets(1200)
    eval_set = make_tickets(300)
    trainer = RouterTrainer(TicketModel(), args, train_set, eval_set)
    state = trainer.train()
    for entry in state["log_history"]:
        print(json.dumps(entry))
    print("best", json.dumps(state["best_metric"]))


if __name__ == "__main__":
    main()
