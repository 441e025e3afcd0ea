"""Whether what is carried over goes on for ever: made anew, detached now and then, or no longer."""
