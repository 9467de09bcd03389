//! A server that takes no tools: no figure counts what is not sent.

use ebbtide::memory::Layer;
use ebbtide::orchestrator::{Notice, Op};

use crate::support::driver::{client_of, drive, outcome};
use crate::support::server::{Reply, Server};

#[tokio::test]
async fn tools_that_are_not_sent_are_not_counted() {
    let server = Server::following(|request| match request.get("tools") {
        Some(_) => Reply::status(400, "unknown field tools"),
        None => Reply::text("Hello"),
    });
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client_of(&server));
    for user in ["Good morning.", "And how are you?"] {
        handle.send(Op::Send(user.into()));
        let report = outcome(&mut notices).await.unwrap();
        let told = [report.sent, report.answered, report.memory.layers, report.measured.layers];
        assert_eq!(told.map(|layers| layers.of(Layer::Tools).0), [0; 4], "{user}");
        let total = report.sent.total();
        assert_eq!((report.in_all, report.measured.cut()), (total, None), "{user}");
        assert!(report.measured.least < total);
    }
    assert_eq!(server.requests().len(), 3, "the tools were refused once");
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
}
