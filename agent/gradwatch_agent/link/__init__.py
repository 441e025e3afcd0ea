"""From a hook to whoever watches: a queue, a thread, sockets."""
